import { useSyncExternalStore } from 'react'

/** The state of a page's address under a name. Kept on this machine; it holds filters and nothing secret. */
export interface SavedView {
  readonly name: string
  readonly path: string
  readonly search: Readonly<Record<string, string | number>>
}

const KEY = 'weir.views'
const VIEWS_MAX = 50
const listeners = new Set<() => void>()
let views: readonly SavedView[] = read()

function read(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as SavedView[]) : []
  } catch {
    // Somebody else wrote it; the next view replaces it.
    return []
  }
}

function keep(next: readonly SavedView[]): void {
  views = next.slice(0, VIEWS_MAX)
  localStorage.setItem(KEY, JSON.stringify(views))
  for (const listener of listeners) listener()
}

const isSame = (view: SavedView, { name, path }: SavedView) => view.name === name && view.path === path

/** A view with the same name on the same page is replaced. */
export const saveView = (view: SavedView): void => keep([view, ...views.filter((each) => !isSame(each, view))])
export const forgetView = (view: SavedView): void => keep(views.filter((each) => !isSame(each, view)))

export function useSavedViews(): readonly SavedView[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => views,
  )
}
