/** All tools that take clicks on the picture, by their kind, beside those of `tools.ts` itself. */
import type { Tool } from "../store";
import { cut, splice } from "./cable-tools";
import { MACHINE_TOOLS, type MachineTool } from "./machine-tools";
import { measure } from "./marks";
import { along, camera, probe } from "./watch-tools";

export const TOOLBOX: Partial<Record<Tool["kind"], MachineTool>> = { ...MACHINE_TOOLS, cut, splice, measure, probe, camera, along };
