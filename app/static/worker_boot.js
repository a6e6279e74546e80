// Starts the simulation worker. Its first message brings the page's own program: the address of the JavaScript and the
// module compiled already. So nothing is downloaded twice, and page and worker are always of one build.
addEventListener(
  "message",
  async ({ data: { js, module } }) => {
    try {
      const { default: init } = await import(js);
      await init({ module_or_path: module });
    } catch (error) {
      // Words instead of a message: there is no worker (app/src/page/worker_link.rs).
      postMessage(`worker did not start: ${error}`);
      throw error;
    }
  },
  { once: true },
);
