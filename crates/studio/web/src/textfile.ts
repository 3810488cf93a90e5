/** A file of this machine, chosen or dropped → its text, up to the size that the server takes. */
import * as store from "./store";

/** [bytes] */
const LARGEST = 1_000_000;

/** The text of a file; null if it is too large, which is said. */
export async function readText(file: File): Promise<string | null> {
  if (file.size <= LARGEST) return file.text();
  store.notify(`${file.name} is ${Math.round(file.size / 1000)} kB; the limit is 1 MB.`, "bad");
  return null;
}

/** Lets one choose a file with an ending. */
export function chooseFile(ending: string, take: (file: File) => Promise<void>) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ending;
  input.onchange = () => input.files?.[0] && void take(input.files[0]);
  input.click();
}
