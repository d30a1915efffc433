// The pictures, as their glass shows them. They come as PNG, one bit a dot.

const LIT = "#ff4a36";
const DARK = "#3a1512";
const DOT = 0.41; // radius, of the distance between two dots

export function drawOled(image, { png, width, height, text }) {
  image.width = width * 4;
  image.height = height * 4;
  image.src = `data:image/png;base64,${png}`;
  if (text) image.alt = text;
}

let newest = 0;

export async function drawLed(canvas, { png, text }) {
  newest += 1;
  const mine = newest;
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  if (mine !== newest) return; // a newer one is on its way
  const { width, height } = image;
  const dots = read(image, width, height);
  const pitch = Math.max(6, Math.round(20 * Math.min(1, 64 / width)));
  canvas.width = width * pitch;
  canvas.height = height * pitch;
  const pen = canvas.getContext("2d");
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pen.fillStyle = dots[(y * width + x) * 4] > 127 ? LIT : DARK;
      pen.beginPath();
      pen.arc((x + 0.5) * pitch, (y + 0.5) * pitch, pitch * DOT, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  if (text) canvas.setAttribute("aria-label", text);
}

function read(image, width, height) {
  const paper = document.createElement("canvas");
  paper.width = width;
  paper.height = height;
  const pen = paper.getContext("2d");
  pen.drawImage(image, 0, 0);
  return pen.getImageData(0, 0, width, height).data;
}
