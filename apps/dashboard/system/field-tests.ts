import { expect, test } from 'vitest'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'

const DAYS = [
  { path: '/app/allocations?at=2026-01-05', label: 'As of the end of a day, UTC', name: 'at' },
  { path: '/app/activity?from=2026-01-05', label: /^From this day, UTC/, name: 'from' },
] as const

/** Fields whose value the address holds. */
export function fieldTests(fixture: () => DashboardFixture): void {
  test.each(DAYS)('a day with two digits can be typed over another: $name', async ({ path, label, name }) => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, url + path)
    const field = page.getByLabel(label)
    await field.focus()
    await field.and(page.locator('[type=date]')).waitFor()
    // Whether the day or the month is first; what is valid in between is a day, too.
    for (const key of '10102025') {
      await page.keyboard.press(key)
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    }
    await page.waitForURL((at) => at.searchParams.get(name) === '2025-10-10')
    expect(await field.inputValue()).toBe('2025-10-10')
    // A link, or Back, still changes it from outside.
    await page.evaluate(`history.pushState(null, '', location.href.replace('2025-10-10', '2025-11-03'))`)
    await expect.poll(() => field.inputValue()).toBe('2025-11-03')
    await page.evaluate(`history.pushState(null, '', location.pathname)`)
    await expect.poll(() => field.inputValue()).toBe('')
  })

  test('no letter of a search is lost while the page follows those before it', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/members`)
    const search = page.getByRole('searchbox', { name: 'Member or email' })
    // The router moves to an address within a transition: the next letters come before that ends.
    await page.evaluate(`
      const field = document.querySelector('input[type=search]')
      const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      const type = (letter) => {
        write.call(field, field.value + letter)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      const replace = history.replaceState
      history.replaceState = function (...given) {
        replace.apply(this, given)
        if (!String(given[2]).endsWith('q=ol')) return
        type('g')
        setTimeout(() => type('a'), 100)
      }
    `)
    await search.pressSequentially('ol')
    await page.waitForURL((at) => /q=ol.+/.test(at.search))
    expect([new URL(page.url()).searchParams.get('q'), await search.inputValue()]).toEqual(['olga', 'olga'])
    await page.evaluate("history.pushState(null, '', '/app/members?q=ada')")
    await expect.poll(() => search.inputValue()).toBe('ada')
  })
}
