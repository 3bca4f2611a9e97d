import type { Page } from 'playwright-core'
import { open, settled } from '../testing/pages.ts'

const WIDTH = 1280
const MARGIN = 40

/** The pictures at the top of the README: the overview, and an operation down to the decision about it. */
export async function takeReadmePictures(page: Page, url: string, folder: string): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height: 860 })
  await open(page, `${url}/`)
  await page.screenshot({ path: `${folder}/overview.png`, fullPage: true })
  await open(page, `${url}/app/operations`)
  await page.locator('tbody tr').first().click()
  const panel = page.getByRole('dialog')
  await panel.waitFor()
  await settled(page)
  const height = Number(await panel.evaluate('document.querySelector("[role=dialog]").scrollHeight'))
  await page.setViewportSize({ width: WIDTH, height })
  const decision = (await panel.getByRole('button', { name: /^Reject operation/ }).boundingBox())!
  const clip = { x: 0, y: 0, width: WIDTH, height: decision.y + decision.height + MARGIN }
  await page.screenshot({ path: `${folder}/operation.png`, clip })
}
