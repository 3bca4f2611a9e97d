import type { Locator, Page } from 'playwright-core'
import { open } from './pages.ts'

/** Opens the operational wallet with this label from the table of wallets; returns its panel. */
export async function openWallet(page: Page, url: string, label: string): Promise<Locator> {
  await open(page, `${url}/app/wallets`)
  await page.getByRole('row', { name: new RegExp(`^${label} 0x`) }).click()
  return page.getByRole('dialog', { name: 'Operational wallet' })
}
