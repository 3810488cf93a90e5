// Serves the built page with the mock behind it, as the studio's server would: same paths, same policy, a real socket.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer as createVite } from "vite";
import { WebSocketServer } from "ws";

const root = fileURLToPath(new URL("..", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; form-action 'none'";

/** Starts it on a port (0 for any); gives the address, the running mocks, and a way to stop. */
export async function serve(port = 0) {
  const vite = await createVite({ root, logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false }, appType: "custom" });
  const { MockServer } = await vite.ssrLoadModule("/src/mock.ts");
  const http = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = path === "/schema.json" ? join(root, "tests/schema.json") : join(root, "dist", path === "/" ? "index.html" : path);
    try {
      const body = await readFile(file);
      answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-security-policy": POLICY });
      answer.end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  const sockets = new WebSocketServer({ server: http, path: "/live" });
  const mocks = [];
  sockets.on("connection", (socket) => {
    const mock = new MockServer(
      (message) => socket.send(JSON.stringify(message)),
      (frame) => {
        if (socket.bufferedAmount >= 1e6) return false;
        socket.send(frame);
        return true;
      },
    );
    mocks.push(mock);
    socket.on("message", (text) => mock.receive(JSON.parse(text)));
    const frames = setInterval(() => mock.tick(), 1000 / 60);
    const states = setInterval(() => mock.tellStatus(), 100);
    socket.on("close", () => {
      clearInterval(frames);
      clearInterval(states);
    });
  });
  await new Promise((done) => http.listen(port, "127.0.0.1", done));
  const drop = () => sockets.clients.forEach((socket) => socket.terminate());
  const stop = async () => {
    drop();
    sockets.close();
    http.close();
    await vite.close();
  };
  return { address: `http://127.0.0.1:${http.address().port}`, mocks, drop, stop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serve(Number(process.argv[2] ?? 8080))).address);
