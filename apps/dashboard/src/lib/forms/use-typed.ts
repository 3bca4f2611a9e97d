import { useEffect, useRef, useState } from 'react'

/**
 * The text of a field whose value the address holds. What comes from outside, a link or Back, replaces what is typed. What
 * the field itself has sent does not, however late it arrives: more may have been typed since.
 */
export function useTyped(held: string) {
  const [typed, setTyped] = useState(held)
  const [before, setBefore] = useState(held)
  const sent = useRef<readonly string[]>([])
  if (held !== before) {
    setBefore(held)
    if (!sent.current.includes(held)) setTyped(held)
  }
  // Not while rendering: a transition may render twice, and would take its own text for one from outside.
  useEffect(() => {
    const at = sent.current.indexOf(held)
    sent.current = at === -1 ? [] : sent.current.slice(at + 1)
  }, [held])
  return {
    typed,
    setTyped,
    sends: (text: string) => {
      sent.current = [...sent.current, text]
    },
  }
}
