/** The socket that is open at present, if any, and commands through it. */
import type { Command } from "./protocol";

export const present: { socket: WebSocket | null } = { socket: null };

export function send(command: Command) {
  if (present.socket?.readyState === WebSocket.OPEN) present.socket.send(JSON.stringify(command));
}
