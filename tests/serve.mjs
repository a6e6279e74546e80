// Serves a folder as a static host would: `node serve.mjs FOLDER [PORT]`.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

// Starts a server; port 0 takes any free one. Resolves to { address, close }.
export function serve(folder, port = 0) {
  const server = createServer((request, response) => {
    let path;
    try {
      path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    } catch {
      response.writeHead(400).end();
      return;
    }
    const file = join(folder, path.endsWith(sep) ? `${path}index.html` : path);
    const size = statSync(file, { throwIfNoEntry: false });
    if (!size?.isFile()) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-length": size.size, "cache-control": "no-cache" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = `http://127.0.0.1:${server.address().port}/`;
      const close = () => {
        server.closeAllConnections();
        return new Promise((closed) => server.close(closed));
      };
      resolve({ address, close });
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, port] = process.argv.slice(2);
  const { address } = await serve(folder, Number(port ?? 8080));
  console.log(`Serving ${folder} at ${address}`);
}
