import { type RefObject, useEffect, useRef, useState } from 'react'

interface Opening {
  /** Of the button that opens; it is another one once `isMounted`. */
  readonly target: RefObject<HTMLButtonElement | null>
  readonly isMounted: boolean
  readonly opened: boolean
  readonly setOpened: (opened: boolean) => void
  /** Mounts and opens, the first time. */
  readonly mount: () => void
}

/**
 * Mounts a popover or a menu when somebody first opens it. One that is mounted with its page looks for its place while the
 * page is shown, and holds up a phone.
 */
export function useOpening(): Opening {
  const target = useRef<HTMLButtonElement>(null)
  const [isMounted, setIsMounted] = useState(false)
  const [opened, setOpened] = useState(false)
  const hasOpened = useRef(false)
  useEffect(() => {
    // Effects run again when a page is shown again that was kept while nobody was signed in.
    if (!isMounted || hasOpened.current) return
    hasOpened.current = true
    // Where the focus was is where it returns to.
    target.current?.focus()
    setOpened(true)
  }, [isMounted])
  return { target, isMounted, opened, setOpened, mount: () => setIsMounted(true) }
}
