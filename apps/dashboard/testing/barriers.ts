import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What depends on colors only. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** What depends on colors, once the page has its dark ones; then it gets back its light ones. */
export async function barriersInDark(page: Page, within?: string): Promise<string[]> {
  const turn = async (colorScheme: 'dark' | 'light') => {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
  }
  await turn('dark')
  const found = await barriers(page, { rules: COLOR_RULES, ...(within !== undefined && { within }) })
  await turn('light')
  return found
}

interface Options {
  /** Instead of all rules. */
  readonly rules?: readonly string[]
  /** A selector, in place of the whole page. */
  readonly within?: string
}

/** What axe-core finds serious or critical. The content policy keeps it out of the page, so it runs through the debugger. */
export async function barriers(page: Page, { rules, within }: Options = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const scope = within === undefined ? 'document' : JSON.stringify(within)
  return (await page.evaluate(
    `axe.run(${scope}, ${options}).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(' | ')))`,
  )) as string[]
}
