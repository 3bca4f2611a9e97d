import type { Page } from 'playwright-core'

/** Tables whose last columns are only seen by scrolling sideways. */
export const cutTables = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(`${within} table`)})].filter((each) => each.offsetWidth > each.parentElement.clientWidth + 1).map((each) => each.ariaLabel)`,
  )

export const isWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth')

/** The height of a notification with one line of text. */
export const NOTIFICATION_HEIGHT = 68

/**
 * The controls within a part of the page that a notification would cover, as far as they are seen without it. `moved`: as
 * if it came up at the top of that part.
 */
export async function coveredControls(page: Page, within: string, { moved = false } = {}): Promise<string[]> {
  const root = page.locator('.mantine-Notifications-root[data-position=top-center]')
  await root.waitFor({ state: 'attached' })
  return root.evaluate(COVERED, { within, height: NOTIFICATION_HEIGHT, moved })
}

/** Runs in the page, which this package has no types of. */
const COVERED = new Function(
  'root',
  '{ within, height, moved }',
  `
  const part = [...document.querySelectorAll(within)].at(-1)
  if (moved) root.style.top = part.getBoundingClientRect().top + 'px'
  const probe = root.appendChild(document.createElement('div'))
  probe.style.height = height + 'px'
  const area = probe.getBoundingClientRect()
  const isAt = (each, x, y) => each.contains(document.elementFromPoint(x, y))
  const covered = [...part.querySelectorAll('a, button, input, select, textarea, label, [tabindex]')].filter((each) => {
    const box = each.getBoundingClientRect()
    const [left, right] = [Math.max(area.left, box.left), Math.min(area.right, box.right)]
    const [top, bottom] = [Math.max(area.top, box.top), Math.min(area.bottom, box.bottom)]
    if (left >= right || top >= bottom) return false
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    if (!isAt(probe, x, y)) return false
    root.style.visibility = 'hidden'
    const isSeen = isAt(each, x, y)
    root.style.visibility = ''
    return isSeen
  })
  probe.remove()
  root.style.top = ''
  return covered.map((each) => each.ariaLabel ?? each.textContent)`,
) as (root: unknown, options: object) => string[]
