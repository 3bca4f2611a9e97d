import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open, settled, visit } from '../testing/pages.ts'

const AMOUNT = '666777.13'
const ADDRESS = '0x6660006660006660006660006660006660006666'

/** What a forged link might call an amount, and an address. */
const AMOUNTS =
  'amount value usd_amount usdAmount buffer bufferAmount cap limit minimum maximum balance price fee shares'
const ADDRESSES =
  'address walletAddress wallet_address destination destinationAddress destination_address recipient receiver account contract spender tokenAddress token_address beneficiary iban account_number'

const FORGED = new URLSearchParams([
  ...AMOUNTS.split(' ').map((name) => [name, AMOUNT]),
  ...ADDRESSES.split(' ').map((name) => [name, ADDRESS]),
]).toString()

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()
const row = (page: Page) => page.locator('main tbody tr').first().click()
const nothing = async () => {}

/** Where money is looked at or moved: the path, and what opens the form or the detail. */
const PLACES: readonly (readonly [path: string, act: (page: Page) => Promise<void>])[] = [
  ['/app/wallets?add=yes', nothing],
  ['/app/wallets', row],
  ['/app/operations', row],
  ['/app/operations?tab=history', row],
  ['/app/allocations', button('Deploy')],
  ['/app/allocations?form=deploy', nothing],
  ['/app/allocations', row],
  ['/app/venues', row],
  ['/app/ramp?tab=accounts&form=in', nothing],
  ['/app/ramp?tab=accounts&form=out', nothing],
  ['/app/ramp?tab=recipients', button('Add a recipient')],
  ['/app/ramp?tab=payments', row],
  ['/app/settings?tab=destinations', button('Add a destination')],
]

/** What a link can say: which page, which rows and which form, but never what is signed for. */
export function linkTests(fixture: () => DashboardFixture): void {
  test('no amount and no address of a link is shown or filled in where money is looked at or moved', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/`)
    const found: string[] = []
    for (const [path, act] of PLACES) {
      await visit(page, `${path}${path.includes('?') ? '&' : '?'}${FORGED}#${FORGED}`)
      await act(page)
      await page.getByRole('dialog').first().waitFor()
      await settled(page)
      const shown = await page.evaluate<string>(
        "[document.body.innerText, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)].join(' ')",
      )
      expect(shown.length, path).toBeGreaterThan(500)
      if (shown.replaceAll(',', '').includes('666777')) found.push(`${path}: the amount`)
      if (shown.toLowerCase().includes(ADDRESS.slice(0, 6))) found.push(`${path}: the address`)
      await page.keyboard.press('Escape')
    }
    expect(found).toEqual([])
  })
}
