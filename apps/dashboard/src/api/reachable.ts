import { useSyncExternalStore } from 'react'

let answers = true
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Notes whether the last request got any response. */
export function noteResponse(hasOne: boolean): void {
  if (answers === hasOne) return
  answers = hasOne
  tell()
}

export type Reach = 'offline' | 'silent' | 'fine'

/** Whether the browser has a network, and whether the service responds. */
export const reach = (): Reach => (!navigator.onLine ? 'offline' : answers ? 'fine' : 'silent')

/** Also where tests of the service read this file, without the types of a browser. */
const browser = globalThis as unknown as EventTarget

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  browser.addEventListener('online', listener)
  browser.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    browser.removeEventListener('online', listener)
    browser.removeEventListener('offline', listener)
  }
}

/** {@link reach}, as it changes. */
export const useReach = (): Reach => useSyncExternalStore(subscribe, reach)
