// The page's end of the worker.

/** Starts the worker from the text inside the page, and hands on what it sends. */
export class Link {
  /** heard(frame) is called for each frame of the last start; failed(words) if there can be no worker. */
  constructor(heard, failed) {
    this.run = 0;
    this.sent = 0; // messages
    try {
      const text = document.getElementById("worker").textContent;
      this.worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
      this.worker.onmessage = ({ data }) => data.run === this.run && heard(data);
      this.worker.onerror = (event) => failed(event.message ?? "the worker stopped");
    } catch (error) {
      this.worker = null;
      failed(error.message);
    }
  }

  /** Begin a new simulation, and bring it to a number of stored patterns. */
  start(options, stored) {
    this.run++;
    this.send("start", { options, stored, run: this.run });
  }

  send(what, rest = {}) {
    this.sent++;
    this.worker?.postMessage({ what, ...rest });
  }
}
