// The service worker: keeps the page for use without a network. `cargo xtask build` writes the id
// and the files of the build into this file, so each build has its own service worker and cache.
const BUILD = "dev";
const FILES = [];

const PREFIX = "hopscope-";
const CACHE = PREFIX + BUILD;

addEventListener("install", (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(requests))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  // The cache of the previous build stays, because an open page of that build may still load its
  // worker.
  const deleteOlderBuilds = async () => {
    const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(builds.slice(0, -1).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(deleteOlderBuilds());
});

// Documents come from the network if there is one, so that a new build shows at once. The addresses
// of all other files contain the build, so a cached copy is never outdated.
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(request.mode === "navigate" ? fromNetwork(request) : fromCache(request));
});

const fromCache = async (request) => (await caches.match(request)) ?? fetch(request);

async function fromNetwork(request) {
  try {
    return await fetch(request);
  } catch {
    const cache = await caches.open(CACHE);
    return (await cache.match(request, { ignoreSearch: true })) ?? cache.match("./");
  }
}
