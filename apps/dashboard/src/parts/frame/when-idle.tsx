import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** Longest wait for an idle moment. */
const WAIT_MS = 2_000

/** What nobody sees at first: it renders when the page is there and the browser has nothing else to do. */
export function WhenIdle({ children }: { readonly children: ReactNode }) {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    const render = () => startTransition(() => setIsIdle(true))
    // Safari knows no idle moments.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(render, WAIT_MS)
      return () => clearTimeout(timer)
    }
    const waiting = window.requestIdleCallback(render, { timeout: WAIT_MS })
    return () => window.cancelIdleCallback(waiting)
  }, [])
  return isIdle && children
}
