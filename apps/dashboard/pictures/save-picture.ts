import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** Of WebP: text stays sharp, and a page takes some 20 KB, so that all of them can be kept in the repository. */
const QUALITY = 50

/** Saves a page, or only what its window shows, as WebP, which Playwright itself does not write. */
export async function savePicture(page: Page, path: string, extent: 'page' | 'window'): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { cssContentSize, cssVisualViewport } = await devtools.send('Page.getLayoutMetrics')
  const width = cssVisualViewport.clientWidth
  const height = extent === 'page' ? cssContentSize.height : cssVisualViewport.clientHeight
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  })
  writeFileSync(path, Buffer.from(data, 'base64'))
  await devtools.detach()
}
