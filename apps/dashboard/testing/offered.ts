import type { Page } from 'playwright-core'
import { settled } from './pages.ts'

const CONTROLS = 'button:not([role=tab]), input:not([type=hidden]), textarea, select'

/** The names of the controls within that one can use, once two frames in a row show the same. */
const READ = (within: string) => `(async () => {
  const name = (each) => each.ariaLabel ?? each.labels?.[0]?.innerText.split('\\n')[0] ?? each.textContent
  const read = () => [...document.querySelectorAll(${JSON.stringify(within)})].flatMap((part) => [...part.querySelectorAll(${JSON.stringify(CONTROLS)})])
    .filter((each) => !each.matches(':disabled, [aria-disabled=true]') && each.checkVisibility() && !each.closest('[aria-hidden=true]') && each.tabIndex >= 0).map(name)
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  for (let before = read().join(); ; ) {
    await frame()
    await frame()
    const now = read()
    if (now.join() === before) return now
    before = now.join()
  }
})()`

/** Each once; numbers, addresses of people and the thing that a cap is of are `…`. */
const generic = (name: string) =>
  name
    .trim()
    .replace(/ \*$/, '')
    .replace(/^.*, cap of .*$/, 'Cap of …')
    .replaceAll(/0x\S+|\S+@\S+|(?<![a-z])\d+/g, '…')

/** What a person can press, switch, choose or type in within a part of the page. */
export async function offered(page: Page, within: 'main' | '[role=dialog]'): Promise<string[]> {
  await settled(page)
  return [...new Set((await page.evaluate<string[]>(READ(within))).map(generic))].toSorted()
}
