import { Children, type ReactNode, startTransition, useEffect, useState } from 'react'

interface Props {
  /** How many parts are there at once. */
  readonly first?: number
  /** What to show in place of the parts that are not there yet. */
  readonly rest: ReactNode
  readonly children: ReactNode
}

/**
 * Renders the parts of a page from the top, one in each frame: all in one frame would hold up the first tap on a phone.
 * Nothing moves, because each part takes its place below the others.
 */
export function InTurn({ first = 1, rest, children }: Props) {
  const parts = Children.toArray(children)
  const [count, setCount] = useState(first)
  const isWhole = count >= parts.length
  useEffect(() => {
    // Once whole, it stays so: a part that appears later removes no other for a frame.
    if (isWhole) return setCount(Number.POSITIVE_INFINITY)
    const frame = requestAnimationFrame(() => startTransition(() => setCount(count + 1)))
    return () => cancelAnimationFrame(frame)
  }, [count, isWhole])
  return (
    <>
      {parts.slice(0, count)}
      {/* Another one each time: one and the same would be seen to move. */}
      {!isWhole && <div key={count}>{rest}</div>}
    </>
  )
}
