import { useEffect, useEffectEvent } from 'react'

interface Layer {
  readonly close: () => void
  readonly level: number
}

/** What is open over the page, the lowest first. */
const layers: Layer[] = []

/** Whether something lies over the page: a key that means the page is not for it. */
export const isCovered = (): boolean => layers.length > 0

/** A list or menu that is open in a dialog takes the key first, and marks its field with this attribute. */
const isTaken = ({ target, isComposing }: KeyboardEvent): boolean =>
  isComposing || (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true')

function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape' && !isTaken(event)) layers.at(-1)?.close()
}

/**
 * Escape closes what lies on top, and nothing below it: the form under a question, or the panel under a form, would be
 * gone with what was typed. `level` is that of the style; of those with the same, the later one is on top.
 */
export function useEscape(opened: boolean, close: () => void, level = 0): void {
  const onEscape = useEffectEvent(close)
  useEffect(() => {
    if (!opened) return
    const layer = { close: () => onEscape(), level }
    const above = layers.findIndex((each) => each.level > level)
    layers.splice(above === -1 ? layers.length : above, 0, layer)
    if (layers.length === 1) window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) window.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [opened, level])
}
