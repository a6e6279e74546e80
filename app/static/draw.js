// Draws the stage: lists of numbers, as app/src/stage/pen.rs records them. In the page this is a screen, which has a worker draw and
// draws itself where that cannot be; in the worker it is what draws. So both are always of one build.

// The signs of a list, in the order of their numbers. Each is followed by its arguments.
const [
  SIZE, ON, SHOW, PATH, LINE, CIRCLE, BOX, POLYGON, CURVE, SECTOR, STROKE, FILL, ALPHA, DASH, CAP, TEXT,
] = Array(16).keys();

const TAU = 2 * Math.PI;
const TOP = -TAU / 4;

// A canvas and the sheets that belong to it, all of one size. Sheet 0 is the canvas.
class Drawing {
  #sheets;

  constructor(canvas) {
    this.#sheets = [canvas.getContext("2d", { alpha: false })];
  }

  #sheet(number) {
    const { width, height } = this.#sheets[0].canvas;
    const blank = () => globalThis.document?.createElement("canvas") ?? new OffscreenCanvas(1, 1);
    const sheet = (this.#sheets[number] ??= blank().getContext("2d"));
    // A new size empties it, the same one too.
    if (sheet.canvas.width !== width) sheet.canvas.width = width;
    if (sheet.canvas.height !== height) sheet.canvas.height = height;
    return sheet;
  }

  draw(list, texts, inks) {
    let c = this.#sheets[0];
    let text = 0;
    for (let i = 0; i < list.length; ) {
      switch (list[i++]) {
        case SIZE: {
          const { canvas } = this.#sheets[0];
          const [width, height] = [list[i++], list[i++]];
          if (canvas.width !== width) canvas.width = width;
          if (canvas.height !== height) canvas.height = height;
          break;
        }
        case ON: {
          const number = list[i++];
          c = this.#sheet(number);
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
          const { canvas } = this.#sheet(list[i++]);
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
          throw new Error(`no sign ${list[i - 1]}`);
      }
    }
  }
}

// After so many deaths of its worker, or where there can be none, the page draws.
const MAX_DEATHS = 2;
// A worker that has not drawn a list in so many animation frames is dead, too.
const PATIENCE = 300;

// A canvas in an element of the page, drawn on by a worker.
class Screen {
  // Nothing of what was drawn is there any more: sheets are to be drawn anew.
  empty = true;
  // The last list is drawn. One is at a time, so that the next is always the newest.
  free = true;
  #place;
  #worker;
  #drawing;
  #deaths = 0;
  #waited = 0;
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
    if (this.#deaths < MAX_DEATHS && canvas.transferControlToOffscreen && globalThis.OffscreenCanvas && new OffscreenCanvas(1, 1).getContext("2d")) {
      const worker = (this.#worker = new Worker(import.meta.url, { type: "module", name: "stage" }));
      worker.onmessage = ({ data }) => {
        if (worker !== this.#worker) return;
        this.#spare = data;
        this.free = true;
      };
      worker.onerror = (event) => {
        event.preventDefault();
        if (worker === this.#worker) this.#bury();
      };
      const offscreen = canvas.transferControlToOffscreen();
      worker.postMessage(offscreen, [offscreen]);
    } else {
      this.#drawing = new Drawing(canvas);
    }
    this.#place.dataset.drawn = this.#worker ? "worker" : "page";
  }

  #bury() {
    this.end();
    this.#deaths++;
    this.#begin();
    // The page draws again (app/src/page/input.rs).
    dispatchEvent(new Event("hopscope-redraw"));
  }

  #watch() {
    this.#watched = !this.free;
    if (this.free) return;
    if (++this.#waited > PATIENCE) this.#bury();
    requestAnimationFrame(() => this.#watch());
  }

  show(numbers, texts, inks) {
    this.empty = false;
    if (this.#drawing) return this.#drawing.draw(numbers, texts, inks);
    const { length, byteLength } = numbers;
    // The numbers lie in the page's memory; they go in a buffer that comes back.
    const buffer = this.#spare.byteLength < byteLength ? new ArrayBuffer(2 * byteLength) : this.#spare;
    new Float32Array(buffer, 0, length).set(numbers);
    this.free = false;
    this.#worker.postMessage({ buffer, length, texts, inks }, [buffer]);
    this.#waited = 0;
    if (!this.#watched) this.#watch();
  }

  // Gives a PNG of a whole list to a function.
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
      drawing = new Drawing(data);
      return;
    }
    const { buffer, length, texts, inks } = data;
    drawing.draw(new Float32Array(buffer, 0, length), texts, inks);
    postMessage(buffer, [buffer]);
  });
}
