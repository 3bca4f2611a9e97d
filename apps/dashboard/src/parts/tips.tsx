import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'

const DELAY_MS = 200

/**
 * The one tooltip of the whole page: it shows the `data-tip` of what is pointed at, touched or reached by the keyboard.
 * With a tooltip of its own for each cell, a table would render twice before it is seen.
 */
export function Tips() {
  const [target, setTarget] = useState<HTMLElement>()
  useEffect(() => {
    const listening = new AbortController()
    let timer: number | undefined
    const show = (next: HTMLElement | undefined) => {
      window.clearTimeout(timer)
      if (next === undefined) setTarget(undefined)
      else timer = window.setTimeout(() => setTarget(next), DELAY_MS)
    }
    const listen = <Name extends keyof DocumentEventMap>(
      name: Name,
      listener: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, listener, { signal: listening.signal, passive: true })
    listen('pointerover', ({ target: over }) => show(tipped(over)))
    listen('focusin', ({ target: focused }) => {
      if (focused instanceof Element && focused.matches(':focus-visible')) show(tipped(focused))
    })
    listen('focusout', () => show(undefined))
    listen('click', ({ target: clicked }) => {
      // What a button says has changed with the click.
      if (clicked instanceof Element && clicked.closest('button')) show(undefined)
    })
    listen('keydown', ({ key }) => {
      if (key === 'Escape') show(undefined)
    })
    return () => {
      listening.abort()
      window.clearTimeout(timer)
    }
  }, [])
  return target?.dataset.tip && <Tooltip opened target={target} label={target.dataset.tip} />
}

const tipped = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('[data-tip]')) || undefined
