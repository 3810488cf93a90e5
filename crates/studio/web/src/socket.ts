/** The socket that is open at present, if any, and commands through it; an answer finds the one who sent the command. */
import type { Answer, Command } from "./protocol";

export const present: { socket: WebSocket | null } = { socket: null };

/** What to do with the answer to a command; true if it has been shown, so that nobody else needs to. */
export type Listener = (answer: Answer) => boolean;

/** Most commands that wait for an answer; most are never answered. */
const MOST = 200;
const waiting = new Map<number, Listener>();
let count = 0;

/** Sends a command with a number of its own, which its answer repeats. */
export function send(command: Command, listener?: Listener) {
  if (present.socket?.readyState !== WebSocket.OPEN) return;
  const req = ++count;
  if (listener) {
    waiting.set(req, listener);
    if (waiting.size > MOST) waiting.delete(waiting.keys().next().value!);
  }
  present.socket.send(JSON.stringify({ ...command, req }));
}

/** Gives an answer to the one who sent the command. True if it has been shown. */
export function answered(answer: Answer): boolean {
  const listener = waiting.get(answer.req ?? 0);
  waiting.delete(answer.req ?? 0);
  return listener?.(answer) ?? false;
}

/** Another server knows nothing of commands to the last one. */
export function forgetCommands() {
  waiting.clear();
}
