/** How often we look whether somebody is still at a row, and how many times at most: a quarter of a minute. */
const LOOK_MS = 200
const LOOKS_MAX = 75

/** Whether the pointer or the keyboard is at a row. Where a finger was, `:hover` stays. */
const isAtRow = (): boolean =>
  document.querySelector('tbody :focus-visible') !== null ||
  (matchMedia('(hover: hover)').matches && document.querySelector('tbody:hover') !== null)

/**
 * Waits until nobody is at a row, which would move away from the pointer with what is read; a quarter of a minute at most.
 * `onHeld` is called if it has to wait at all.
 */
export async function rowsLeft(signal: AbortSignal, onHeld: () => void): Promise<void> {
  if (!isAtRow()) return
  onHeld()
  for (let looks = 0; looks < LOOKS_MAX && isAtRow() && !signal.aborted; looks += 1)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
