// Takes a picture of every page in light, dark and phone width, from a service of its own: npm run pictures. Those in
// pages/ are of the last release.
import { mkdirSync } from 'node:fs'
import { startSystem } from '../../server/system/service/start-system.ts'
import { backdateLedger } from '../../server/testing/ledger/backdate-ledger.ts'
import { lastDay } from '../src/lib/dates/as-of.ts'
import { chromiumPath, launch } from '../testing/browser.ts'
import { fill } from '../testing/fill.ts'
import { open, PAGES, settled, signIn } from '../testing/pages.ts'
import { takeReadmePictures } from './readme-pictures.ts'
import { savePicture } from './save-picture.ts'

const folder = process.argv[2] ?? '.data/pictures'
const path = chromiumPath({ isWhole: true })
if (path === undefined) throw new Error('there is no Chromium: apt-get install chromium')
mkdirSync(`${folder}/readme`, { recursive: true })
const system = await startSystem()
const browser = await launch(path)
const AS_OF = {
  'overview-as-of': `/?at=${lastDay()}`,
  'wallets-as-of': `/app/wallets?at=${lastDay()}`,
  'allocations-as-of': `/app/allocations?at=${lastDay()}`,
  'venues-as-of': `/app/venues?at=${lastDay()}`,
  'reconciliation-as-of': `/app/reconciliation?at=${lastDay()}`,
}
/** What somebody sees who is not signed in, and the button that leads there from the one before. */
const SIGNED_OUT = { 'sign-in': '', registration: 'Create an organization', 'password-reset': 'Forgot your password?' }
const VIEWS = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const
try {
  const { url } = system.process
  const { emails, password } = await fill(url)
  await backdateLedger(system.dataDir)
  for (const [view, options] of Object.entries(VIEWS)) {
    const page = await (await browser.newContext({ ...options, reducedMotion: 'reduce' })).newPage()
    await open(page, `${url}/`)
    for (const [name, button] of Object.entries(SIGNED_OUT)) {
      if (button) await page.getByRole('button', { name: button }).click()
      await savePicture(page, `${folder}/${name}-${view}.webp`, 'page')
    }
    await signIn(page, url, { email: emails.owner, password })
    for (const [name, address] of Object.entries({ ...PAGES, ...AS_OF })) {
      await open(page, url + address)
      await savePicture(page, `${folder}/${name}-${view}.webp`, 'page')
    }
    if (view === 'light') {
      await takeReadmePictures(page, url, `${folder}/readme`)
      await page.setViewportSize(options.viewport)
    }
    for (const name of ['wallets', 'operations', 'allocations', 'venues']) {
      await open(page, url + PAGES[name])
      await page.locator('tbody tr').first().click()
      await page.getByRole('dialog').waitFor()
      await settled(page)
      await page.waitForTimeout(600)
      await savePicture(page, `${folder}/${name}-open-${view}.webp`, 'window')
    }
  }
  process.stdout.write(`pictures in ${folder}\n`)
} finally {
  await browser.close()
  await system.stop()
}
