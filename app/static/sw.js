// The service worker: keeps one build of the page for use without a network. `cargo xtask build`
// writes the build's id and its files into this file. So a new build is a new service worker, with
// a cache of its own.
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
  // The build before this one stays: a page of it that is still open may start a worker again.
  const deleteOlderBuilds = async () => {
    const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(builds.slice(0, -1).map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(deleteOlderBuilds());
});

// Documents come from the network when there is one, so that a new build is seen at once. All other
// files carry the build in their address, so the cached copy is the same.
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
