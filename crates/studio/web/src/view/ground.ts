/**
 * Patterns of grounds, from a formula: concrete in slabs, asphalt, sand, gravel, soil, grass and planks.
 *
 * A pattern multiplies the colour of the surface by a number near 1 that depends on the place in the world. What is finer than
 * a pixel is left out, so that nothing shimmers from far away.
 */
import type * as THREE from "three";
import { NOISE } from "./noise";

/** Each pattern as GLSL: `p` is the place [m], `keep(s)` is 1 where features of size s [m] are seen, and falls to 0 where they are not. */
const PATTERNS = {
  concrete: `
    tone += 0.12 * (fbm(p * 0.35) - 0.5) + 0.06 * (fbm(p * 4.0 + 7.0) - 0.5) * keep(0.3) + 0.05 * (hash(floor(p * 60.0)) - 0.5) * keep(0.03);
    tone += 0.05 * (hash(floor(p / 5.0)) - 0.5) * keep(5.0);
    tone -= 0.22 * seam(p, 5.0, 0.025) * keep(0.12);`,
  asphalt: `tone += 0.16 * (fbm(p * 0.25) - 0.5) + 0.35 * (noise(p * 45.0) - 0.5) * keep(0.04) + 0.2 * (noise(p * 11.0) - 0.5) * keep(0.15);`,
  sand: `
    float bent = 6.0 * fbm(p * 0.22);
    tone += 0.16 * (fbm(p * 0.3) - 0.5) + 0.07 * sin(14.0 * p.y + 3.0 * p.x + bent * 6.0) * keep(0.3) + 0.1 * (hash(floor(p * 90.0)) - 0.5) * keep(0.02);`,
  gravel: `tone += 0.15 * (fbm(p * 0.3) - 0.5) + 0.6 * (noise(p * 22.0) - 0.5) * keep(0.07) + 0.3 * (noise(p * 7.0) - 0.5) * keep(0.2);`,
  soil: `tone += 0.4 * (fbm(p * 0.6) - 0.5) + 0.35 * (fbm(p * 6.0) - 0.5) * keep(0.25) + 0.2 * (noise(p * 40.0) - 0.5) * keep(0.04);`,
  grass: `tone += 0.3 * (fbm(p * 0.2) - 0.5) + 0.35 * (fbm(p * 2.5) - 0.5) * keep(0.5) + 0.55 * (noise(p * vec2(60.0, 17.0)) - 0.5) * keep(0.06);`,
  planks: `
    float plank = floor(p.y / 0.2);
    tone += 0.22 * (hash(vec2(plank, floor(p.x / 4.0 + 0.37 * plank))) - 0.5) * keep(0.2) + 0.16 * (fbm(vec2(p.x * 1.5, p.y * 40.0)) - 0.5) * keep(0.05);
    tone -= 0.4 * smoothstep(0.42, 0.5, abs(fract(p.y / 0.2) - 0.5)) * keep(0.05);`,
};
export type Pattern = keyof typeof PATTERNS;

/** Materials of the library that look like a ground, by parts of their names. */
const NAMES: [RegExp, Pattern][] = [
  [/asphalt/, "asphalt"],
  [/concrete|paving|brick/, "concrete"],
  [/sand/, "sand"],
  [/gravel|granite/, "gravel"],
  [/soil|clay/, "soil"],
  [/grass/, "grass"],
  [/wood|oak|pine|plywood|deck/, "planks"],
];

/** The pattern of a material, or null. */
export function patternOf(material: string | null): Pattern | null {
  const name = material?.toLowerCase() ?? "";
  return NAMES.find(([part]) => part.test(name))?.[1] ?? null;
}

/** Draws a pattern over a material; the surfaces that have it must not move. */
export function lay(material: THREE.Material, pattern: Pattern) {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 groundPlace;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\ngroundPlace = (modelMatrix * instanceMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 groundPlace;
        ${NOISE}
        float seam(vec2 p, float step, float wide) { vec2 d = (0.5 - abs(fract(p / step) - 0.5)) * step; return 1.0 - smoothstep(0.4 * wide, wide, min(d.x, d.y)); }`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        {
          vec2 p = groundPlace.xy;
          float pixel = max(length(dFdx(p)), length(dFdy(p)));
          #define keep(s) (1.0 - smoothstep(0.35, 1.2, pixel / (s)))
          float tone = 1.0;
          ${PATTERNS[pattern]}
          diffuseColor.rgb *= max(tone, 0.0);
          #undef keep
        }`,
      );
  };
  material.customProgramCacheKey = () => `ground ${pattern}`;
}
