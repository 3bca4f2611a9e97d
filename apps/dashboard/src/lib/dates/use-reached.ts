import { useEffect, useState } from 'react'

/** The longest delay that a timer takes. */
const DELAY_MAX_MS = 2 ** 31 - 1

/** Whether a moment has come, by the clock of this machine; the part renders again when it does. Without one, it has. */
export function useReached(iso: string | null | undefined): boolean {
  const at = iso == null ? 0 : Date.parse(iso)
  const [now, setNow] = useState(Date.now)
  const isReached = at <= now
  useEffect(() => {
    if (isReached) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(at - now + 1, DELAY_MAX_MS))
    return () => clearTimeout(timer)
  }, [at, now, isReached])
  return isReached
}
