import { onOtherTabs, tellOtherTabs } from './tabs.ts'

const listeners = new Set<() => void>()

/** Tells this tab and the others that their session has another cookie (ADR 195). */
export function tellOfNewCookie(): void {
  for (const listener of listeners) listener()
  tellOtherTabs('session')
}

/** Calls the listener when the session gets another cookie, in whichever tab; returns how to stop. */
export function onNewCookie(listener: () => void): () => void {
  listeners.add(listener)
  const stop = onOtherTabs('session', listener)
  return () => {
    listeners.delete(listener)
    stop()
  }
}
