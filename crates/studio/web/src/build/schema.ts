/** The scene language's JSON Schema, fetched from the server once. */
import { signal } from "@preact/signals";
import type { Schema } from "./fields";

export const schema = signal<Schema | null>(null);
/** Why there is none. */
export const schemaTrouble = signal<string | null>(null);

export async function fetchSchema() {
  if (schema.value) return;
  try {
    const answer = await fetch("/schema.json");
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    schema.value = (await answer.json()) as Schema;
  } catch (error) {
    schemaTrouble.value = `The scene schema could not be loaded: ${(error as Error).message}. Use the text panel instead.`;
  }
}
