/**
 * A heap of numbers from which the largest is taken first.
 */
export class LargestFirst {
  constructor() {
    /** @type {number[]} */
    this.heap = [];
  }

  /** @param {number} number */
  push(number) {
    const { heap } = this;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (heap[above] >= number) break;
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = number;
  }

  /** @returns {number} the largest; there has to be one */
  pop() {
    const { heap } = this;
    const largest = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return largest;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && heap[below + 1] > heap[below]) below += 1;
      if (heap[below] <= last) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
    return largest;
  }
}
