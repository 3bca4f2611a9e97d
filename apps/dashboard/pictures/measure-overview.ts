// How long the overview takes, signed in, from a warm service on this machine, in medians of five loads: npm run
// measure:overview
import { startSystem } from '../../server/system/service/start-system.ts'
import { chromiumPath, launch } from '../testing/browser.ts'
import { fill } from '../testing/fill.ts'
import { open, signIn } from '../testing/pages.ts'

const LOADS = 5
/** The slowdown of the processor that Lighthouse uses for a phone. */
const PHONE_SLOWDOWN = 4
/** Runs in the page before it: notes when the shell, the amounts, and the answer to a click are there. */
const WATCH = `
  window.seen = {}
  const note = (name, there) => { if (!(name in window.seen) && there) window.seen[name] = performance.now() }
  const live = () => document.querySelector('[aria-label$="pause updates"], [aria-label$=": pause"]')
  new MutationObserver(() => {
    note('shell', document.querySelector('nav[aria-label=Pages]'))
    note('amounts', document.querySelector('main .figures'))
    if ('amounts' in window.seen && !window.clicked) { window.clicked = true; live().click() }
    note('click answered', window.clicked && document.querySelector('[aria-label^=Paused]'))
  }).observe(document, { subtree: true, childList: true, attributes: true })`

const path = chromiumPath({ isWhole: true })
if (path === undefined) throw new Error('there is no Chromium: apt-get install chromium')
const system = await startSystem()
const browser = await launch(path)
try {
  const { url } = system.process
  const { emails, password } = await fill(url)
  for (const [name, slowdown] of [
    ['desktop', 1],
    ['phone', PHONE_SLOWDOWN],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: name === 'phone' ? 412 : 1350, height: 823 } })
    const page = await context.newPage()
    await signIn(page, url, { email: emails.owner, password })
    await open(page, url)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(WATCH)
    const loads: Record<string, number>[] = []
    while (loads.length < LOADS) {
      await page.goto(`${url}/`)
      await page.getByRole('button', { name: /^Paused/ }).waitFor()
      loads.push((await page.evaluate('window.seen')) as Record<string, number>)
      await page.getByRole('button', { name: /^Paused/ }).click()
    }
    const median = (of: string) => loads.map((load) => load[of]!).sort((a, b) => a - b)[Math.floor(LOADS / 2)]!
    const parts = ['shell', 'amounts', 'click answered'].map((of) => `${of} ${Math.round(median(of))} ms`)
    process.stdout.write(`${name}: ${parts.join(', ')}\n`)
  }
} finally {
  await browser.close()
  await system.stop()
}
