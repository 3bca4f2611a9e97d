const SCHEME = 'data-mantine-color-scheme'

/** Prints in light colors: on paper there is no dark. */
export function printLight(): void {
  const root = document.documentElement
  let shown: string | null = null
  window.matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) {
      shown = root.getAttribute(SCHEME)
      root.setAttribute(SCHEME, 'light')
    } else if (shown !== null) root.setAttribute(SCHEME, shown)
  })
}
