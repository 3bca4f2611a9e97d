import { reach } from '../../api/reachable.ts'

/** Long enough that a page which cannot be loaded at all is not loaded again and again. */
const AGAIN_MS = 60_000
const MARK = 'weir.reloaded'

/** A tab that was open while the service was upgraded asks for files of the previous version: it loads the new one. */
export function reloadAfterUpgrade(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Without the service, the browser would show its own error in place of the page.
    if (reach() !== 'fine') return
    if (Date.now() - Number(sessionStorage.getItem(MARK) ?? 0) < AGAIN_MS) return
    sessionStorage.setItem(MARK, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
