import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from '../../api/client.ts'
import { csvLines, download } from '../../lib/requests/csv.ts'
import { type Listing, readAll } from '../../lib/requests/read-all.ts'
import { notifyRefusal } from '../frame/notify.tsx'
import type { Column } from './columns.tsx'

/** After how many pages the progress is shown first, and then again: a screen reader reads each. */
const PAGES_PER_REPORT = 10
let saved = 0

const fileOf = (label: string) => `${label.toLowerCase().replaceAll(' ', '-')}.csv`
const inCsv = <T,>(columns: readonly Column<T>[]) => columns.filter(({ csv }) => csv)
const headOf = <T,>(columns: readonly Column<T>[]) => csvLines([inCsv(columns).map(({ title }) => title)])
const linesOf = <T,>(columns: readonly Column<T>[], rows: readonly T[]) =>
  csvLines(rows.map((row) => inCsv(columns).map(({ csv }) => String(csv?.(row) ?? ''))))

/** Rows as the text of a CSV file. */
export const csvOf = <T,>(columns: readonly Column<T>[], rows: readonly T[]): string =>
  headOf(columns) + linesOf(columns, rows)

/** Saves rows as a CSV file with the columns that have a value for it. */
export function saveCsv<T>(label: string, columns: readonly Column<T>[], rows: readonly T[]): void {
  download(fileOf(label), [csvOf(columns, rows)])
}

/**
 * Saves every row of a list, however many pages it has. A long one shows its progress, and can be stopped; it continues
 * when one leaves the page. What cannot be read to its end is not saved: a file without its last rows looks whole.
 */
export async function saveWholeCsv<T, D>(
  label: string,
  columns: readonly Column<T>[],
  listing: Listing<T, D>,
): Promise<void> {
  const abort = new AbortController()
  let parts = [headOf(columns)]
  saved += 1
  const report = { id: `csv-${saved}`, title: `Saving ${fileOf(label)}`, loading: true, autoClose: false } as const
  let pages = 0
  let count = 0
  try {
    for await (const { rows, total, startsOver } of readAll(listing, abort.signal)) {
      if (startsOver) {
        parts = [headOf(columns)]
        count = 0
      }
      parts.push(linesOf(columns, rows))
      pages += 1
      count += rows.length
      if (pages % PAGES_PER_REPORT !== 0) continue
      const message = <Progress count={count} total={total} onStop={() => abort.abort()} />
      if (pages === PAGES_PER_REPORT) notifications.show({ ...report, message, onClose: () => abort.abort() })
      else notifications.update({ ...report, message })
    }
    download(fileOf(label), parts)
  } catch (error) {
    if (error instanceof ApiError) notifyRefusal(error, undefined, { before: `${fileOf(label)} is not saved: ` })
    else if (!abort.signal.aborted) throw error
  } finally {
    notifications.hide(report.id)
  }
}

interface ProgressProps {
  readonly count: number
  readonly total: number
  readonly onStop: () => void
}

function Progress({ count, total, onStop }: ProgressProps) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" className="figures">
        {count.toLocaleString('en')}
        {total > count && ` of ${total.toLocaleString('en')}`} rows
      </Text>
      <Button size="compact-xs" variant="default" onClick={onStop}>
        Stop
      </Button>
    </Group>
  )
}
