// Runs scripts one after the other in one browser: node tests/run.mjs NAME… Tells the time of each; the exit code is 1 if one failed.
import { closeBrowser } from "./chromium.mjs";

process.env.WINDLASS_RUN = "1";
const times = [];
for (const name of process.argv.slice(2)) {
  console.log(name);
  const start = Date.now();
  const before = process.exitCode;
  process.exitCode = undefined;
  await import(`./${name}.mjs`);
  times.push(`${((Date.now() - start) / 1000).toFixed(0).padStart(5)} s  ${name}${process.exitCode ? "  FAILED" : ""}`);
  process.exitCode ||= before;
}
await closeBrowser();
console.log(times.join("\n"));
process.exit();
