import { Button, Text } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../api/client.ts'
import { type Listing, readFirst } from '../../lib/requests/read-all.ts'
import { counted } from '../../lib/text/counted.ts'
import { notifyRefusal } from '../frame/notify.tsx'

/** Some 150 sheets of paper: a browser lays out every row before it prints the first. */
const STATEMENT_ROWS_MAX = 5_000

/** The rows of a table on paper, and how many the list has: more, where it is cut. */
interface Whole<T> {
  readonly rows: readonly T[]
  readonly total: number
}

/** A table of a statement. */
interface Part {
  /** Reads its rows, and returns what shows them. Throws {@link ApiError}. */
  read(signal: AbortSignal, onRead: (count: number) => void): Promise<() => void>
  /** Back to the page that was shown. */
  restore(): void
}

const Parts = createContext<Set<Part> | undefined>(undefined)

/** A page that prints as a statement: each of its tables with every row, not only those of the page that is shown. */
export function Statement({ children }: { readonly children: ReactNode }) {
  const [parts] = useState(() => new Set<Part>())
  return <Parts value={parts}>{children}</Parts>
}

/** Every row of a table, while its page is printed as a statement. */
export function useWhole<T, D>(listing: Listing<T, D>, isPartial: boolean): Whole<T> | undefined {
  const parts = useContext(Parts)
  const [whole, setWhole] = useState<Whole<T>>()
  const latest = useRef({ listing, isPartial })
  latest.current = { listing, isPartial }
  useEffect(() => {
    if (parts === undefined) return
    const part: Part = {
      async read(signal, onRead) {
        if (!latest.current.isPartial) return () => {}
        const read = await readFirst(latest.current.listing, STATEMENT_ROWS_MAX, { signal, onRead })
        return () => setWhole(read)
      },
      restore: () => setWhole(undefined),
    }
    parts.add(part)
    return () => {
      parts.delete(part)
    }
  }, [parts])
  return whole
}

/** Reads every row of the tables of the page, and prints them. */
export function PrintButton() {
  const parts = useContext(Parts)
  const [read, setRead] = useState<number>()
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => () => leaving.current?.abort(), [])
  const print = async () => {
    const abort = new AbortController()
    leaving.current = abort
    setRead(0)
    try {
      const shows: (() => void)[] = []
      let before = 0
      // The service limits how many lists an organization reads at once.
      for (const part of parts ?? []) {
        let own = 0
        const show = await part.read(abort.signal, (count) => {
          own = count
          setRead(before + own)
        })
        before += own
        shows.push(show)
      }
      const restore = () => {
        for (const part of parts ?? []) part.restore()
      }
      window.addEventListener('afterprint', restore, { once: true })
      flushSync(() => {
        setRead(undefined)
        for (const show of shows) show()
      })
      window.print()
    } catch (error) {
      if (error instanceof ApiError) notifyRefusal(error, undefined, { before: 'The statement is not printed: ' })
      else if (!abort.signal.aborted) throw error
      setRead(undefined)
    }
  }
  return (
    <>
      {read !== undefined && (
        <Text size="sm" role="status">
          {counted(read, 'row')} read
        </Text>
      )}
      <Button variant="default" loading={read !== undefined} onClick={() => void print()}>
        Print a statement
      </Button>
    </>
  )
}
