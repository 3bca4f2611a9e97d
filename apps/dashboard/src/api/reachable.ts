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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** {@link reach}, as it changes. */
export const useReach = (): Reach => useSyncExternalStore(subscribe, reach)
