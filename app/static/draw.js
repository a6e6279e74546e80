// Draws the stage from lists of numbers, which app/src/stage/pen.rs records.
//
// The page and its drawing worker load this same file, so both are of one build. In the page it
// defines `HopscopeScreen`: a canvas that a worker draws on, or the page where there is no worker.
// In the worker it receives the canvas first, then lists.

// The commands of a list, in the order of `Command` in pen.rs. The arguments follow the command.
const [
  SIZE, ON, SHOW, PATH, LINE, CIRCLE, BOX, POLYGON,
  CURVE, SECTOR, STROKE, FILL, ALPHA, DASH, CAP, TEXT,
] = Array(16).keys();

const TAU = 2 * Math.PI;
const TOP = -TAU / 4;

// A canvas and its layers, all of one size. Layer 0 is the canvas.
class Drawing {
  #layers;
  #restored;

  // `restored` is called when the browser has taken away what was drawn, as when the graphics
  // process dies, and drawing is possible again.
  constructor(canvas, restored) {
    this.#restored = restored;
    this.#layers = [this.#context(canvas, { alpha: false })];
  }

  #context(canvas, options) {
    canvas.addEventListener("contextrestored", this.#restored);
    return canvas.getContext("2d", options);
  }

  #layer(number) {
    const { width, height } = this.#layers[0].canvas;
    const blank = () => globalThis.document?.createElement("canvas") ?? new OffscreenCanvas(1, 1);
    const layer = (this.#layers[number] ??= this.#context(blank()));
    // Setting the size clears a layer, even to the same size.
    if (layer.canvas.width !== width) layer.canvas.width = width;
    if (layer.canvas.height !== height) layer.canvas.height = height;
    return layer;
  }

  draw(list, texts, inks) {
    let c = this.#layers[0];
    let text = 0;
    for (let i = 0; i < list.length; ) {
      switch (list[i++]) {
        case SIZE: {
          const { canvas } = this.#layers[0];
          const [width, height] = [list[i++], list[i++]];
          if (canvas.width !== width) canvas.width = width;
          if (canvas.height !== height) canvas.height = height;
          break;
        }
        case ON: {
          const number = list[i++];
          c = this.#layer(number);
          c.setTransform(1, 0, 0, 1, 0, 0);
          c.globalAlpha = 1;
          c.fillStyle = inks[0];
          c[number === 0 ? "fillRect" : "clearRect"](0, 0, c.canvas.width, c.canvas.height);
          const scale = list[i++];
          c.setTransform(scale, 0, 0, scale, list[i++], list[i++]);
          c.lineCap = "butt";
          c.setLineDash([]);
          c.textAlign = "center";
          c.textBaseline = "middle";
          break;
        }
        case SHOW: {
          const { canvas } = this.#layer(list[i++]);
          const scale = list[i++];
          c.save();
          c.setTransform(scale, 0, 0, scale, list[i++], list[i++]);
          c.globalAlpha = list[i++];
          c.drawImage(canvas, 0, 0);
          c.restore();
          break;
        }
        case PATH:
          c.beginPath();
          break;
        case LINE:
          c.moveTo(list[i++], list[i++]);
          c.lineTo(list[i++], list[i++]);
          break;
        case CIRCLE: {
          const [x, y, radius] = [list[i++], list[i++], list[i++]];
          c.moveTo(x + radius, y);
          c.arc(x, y, radius, 0, TAU);
          break;
        }
        case BOX:
          c.roundRect(list[i++], list[i++], list[i++], list[i++], list[i++]);
          break;
        case POLYGON: {
          const end = i + 1 + 2 * list[i++];
          c.moveTo(list[i++], list[i++]);
          while (i < end) c.lineTo(list[i++], list[i++]);
          c.closePath();
          break;
        }
        case CURVE:
          c.moveTo(list[i++], list[i++]);
          c.quadraticCurveTo(list[i++], list[i++], list[i++], list[i++]);
          break;
        case SECTOR: {
          const [x, y] = [list[i++], list[i++]];
          c.moveTo(x, y);
          c.arc(x, y, list[i++], TOP, TOP + TAU * list[i++]);
          c.closePath();
          break;
        }
        case STROKE:
          c.strokeStyle = inks[list[i++]];
          c.lineWidth = list[i++];
          c.stroke();
          break;
        case FILL:
          c.fillStyle = inks[list[i++]];
          c.fill();
          break;
        case ALPHA:
          c.globalAlpha = list[i++];
          break;
        case DASH: {
          const end = i + 1 + list[i++];
          c.setLineDash([...list.subarray(i, end)]);
          i = end;
          break;
        }
        case CAP:
          c.lineCap = list[i++] ? "round" : "butt";
          break;
        case TEXT: {
          const words = texts[text++];
          c.fillStyle = inks[list[i++]];
          const [x, y] = [list[i++], list[i++]];
          c.font = `${list[i++]} ${list[i++]}px system-ui, sans-serif`;
          c.strokeStyle = inks[list[i++]];
          c.lineWidth = list[i++];
          if (list[i - 1] > 0) {
            c.lineJoin = "round";
            c.strokeText(words, x, y);
            c.lineJoin = "miter";
          }
          c.fillText(words, x, y);
          break;
        }
        default:
          throw new Error(`unknown drawing command ${list[i - 1]}`);
      }
    }
  }
}

// A worker that fails is replaced, until this many have failed; then the page draws.
const MAX_FAILURES = 2;
// A worker that takes more than this many animation frames for a list has failed.
const MAX_FRAMES = 300;

// A canvas in an element of the page.
class Screen {
  // True if the layers are lost and have to be drawn again.
  empty = true;
  // True if the last list is drawn. Only one list is under way, so the next is the newest.
  free = true;
  #place;
  #worker;
  #drawing;
  #failures = 0;
  #frames = 0;
  #watched = false;
  #spare = new ArrayBuffer(0);

  constructor(place) {
    this.#place = place;
    this.#begin();
  }

  #begin() {
    const canvas = document.createElement("canvas");
    this.#place.replaceChildren(canvas);
    this.empty = this.free = true;
    const offscreenSupported =
      canvas.transferControlToOffscreen &&
      globalThis.OffscreenCanvas &&
      new OffscreenCanvas(1, 1).getContext("2d");
    if (this.#failures < MAX_FAILURES && offscreenSupported) {
      const worker = (this.#worker = new Worker(import.meta.url, { type: "module", name: "stage" }));
      worker.onmessage = ({ data }) => {
        if (worker !== this.#worker) return;
        if (data === "restored") return this.#redraw();
        this.#spare = data;
        this.free = true;
      };
      worker.onerror = (event) => {
        event.preventDefault();
        if (worker === this.#worker) this.#replaceWorker();
      };
      const offscreen = canvas.transferControlToOffscreen();
      worker.postMessage(offscreen, [offscreen]);
    } else {
      this.#drawing = new Drawing(canvas, () => this.#redraw());
    }
    this.#place.dataset.drawn = this.#worker ? "worker" : "page";
  }

  #replaceWorker() {
    this.end();
    this.#failures++;
    this.#begin();
    this.#redraw();
  }

  #redraw() {
    this.empty = true;
    // The page listens for this event in app/src/page/input.rs and records a new list.
    dispatchEvent(new Event("hopscope-redraw"));
  }

  #watch() {
    this.#watched = !this.free;
    if (this.free) return;
    if (++this.#frames > MAX_FRAMES) this.#replaceWorker();
    requestAnimationFrame(() => this.#watch());
  }

  show(numbers, texts, inks) {
    this.empty = false;
    if (this.#drawing) return this.#drawing.draw(numbers, texts, inks);
    const { length, byteLength } = numbers;
    // The numbers are in WebAssembly memory, which cannot be transferred. They are copied into a
    // buffer that the worker sends back.
    const buffer = this.#spare.byteLength < byteLength ? new ArrayBuffer(2 * byteLength) : this.#spare;
    new Float32Array(buffer, 0, length).set(numbers);
    this.free = false;
    this.#worker.postMessage({ buffer, length, texts, inks }, [buffer]);
    this.#frames = 0;
    if (!this.#watched) this.#watch();
  }

  // Makes a PNG file of a complete list and passes it to `done`.
  picture(numbers, texts, inks, done) {
    const canvas = document.createElement("canvas");
    new Drawing(canvas).draw(numbers, texts, inks);
    canvas.toBlob(done);
  }

  end() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.free = true;
  }
}

if (globalThis.document) {
  globalThis.HopscopeScreen = Screen;
} else {
  let drawing;
  addEventListener("message", ({ data }) => {
    if (!drawing) {
      drawing = new Drawing(data, () => postMessage("restored"));
      return;
    }
    const { buffer, length, texts, inks } = data;
    drawing.draw(new Float32Array(buffer, 0, length), texts, inks);
    postMessage(buffer, [buffer]);
  });
}
