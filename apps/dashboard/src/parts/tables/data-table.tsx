import { Box, Button, Skeleton, Table } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { Answer, ApiError } from '../../api/client.ts'
import { refusalOf } from '../../api/use-api.ts'
import { paged as pageOf } from '../../lib/requests/read-all.ts'
import { Curl } from '../curl.tsx'
import { Outdated, Problem } from '../frame/page.tsx'
import { LightGroup, LightText, TABLE } from '../light.tsx'
import { type Column, cellProps } from './columns.tsx'
import { useWhole } from './statement.tsx'
import { saveCsv, saveWholeCsv } from './table-csv.tsx'

const PAGE_SIZE = 25

interface Props<T, D> {
  readonly label: string
  /** The path without its page, such as `/api/core/webhooks?status=failed`. */
  readonly path: string
  readonly query: UseQueryResult<Answer<D>, ApiError>
  readonly rows: (data: D, answer: Answer<D>) => { readonly items: readonly T[]; readonly total: number }
  readonly columns: readonly Column<T>[]
  readonly id: (row: T) => string | number
  readonly offset?: number
  readonly onOffset?: (offset: number) => void
  /** Of lists that have a cursor in place of a total: whether the page that is shown may not be all. */
  readonly hasMore?: boolean
  /** In place of the number of rows and of pages by offset. */
  readonly foot?: { readonly text: string; readonly buttons: ReactNode }
  /** Shows the first rows only, this many at most; the CSV has all of them. */
  readonly preview?: number
  readonly onOpen?: (row: T) => void
  /** What unfolds below the row with this id. */
  readonly unfolded?: { readonly id: string | number | undefined; readonly detail: (row: T) => ReactNode }
  readonly empty: ReactNode
}

/** The path with a page of it. */
export const paged = (path: string, offset: number, limit = PAGE_SIZE): string => pageOf(path, offset, limit)

/** The rows of a bare list; the total comes with it. */
export const bare = <T,>(items: readonly T[], { total }: Answer<readonly T[]>) => ({
  items,
  total: total ?? items.length,
})

/** A table whose pages the service cuts: it holds one page, however many rows there are. */
export function DataTable<T, D>({
  label,
  path,
  query,
  rows,
  columns,
  id,
  offset = 0,
  onOffset,
  hasMore = false,
  foot,
  preview,
  onOpen,
  unfolded,
  empty,
}: Props<T, D>) {
  const read = query.data && rows(query.data.data, query.data)
  const whole = useWhole(
    { path, rows, id },
    hasMore || offset > 0 || (read !== undefined && read.items.length < read.total),
  )
  const refusal = refusalOf(query)
  if (refusal && query.data === undefined) {
    return (
      <Box p="md">
        <Problem error={refusal} retry={query.isFetching ? undefined : () => void query.refetch()} />
      </Box>
    )
  }
  if (read === undefined)
    return (
      <Box p="md">
        <Skeleton height={260} role="status" aria-label="Loading" />
      </Box>
    )
  const { total } = read
  const items = whole?.rows ?? (preview === undefined ? read.items : read.items.slice(0, preview))
  const shown = columns.filter(({ csvOnly }) => !csvOnly)
  if (total === 0)
    return (
      <>
        <Outdated query={query} />
        {empty}
      </>
    )
  // The rows of the page before stay until those of this one are here.
  const isReading = query.isPlaceholderData
  const onKey = (event: KeyboardEvent, row: T) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row)
  }
  const exportRows = () => {
    if (!hasMore && offset === 0 && read.items.length >= total) saveCsv(label, columns, read.items)
    else void saveWholeCsv(label, columns, { path, rows, id })
  }
  return (
    <div>
      <Outdated query={query} />
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label={label}>
        <Table verticalSpacing={8} horizontalSpacing="sm" aria-label={label} aria-busy={isReading}>
          <thead className={TABLE.thead}>
            <tr className={TABLE.tr} data-with-row-border>
              {shown.map((column) => (
                <th key={column.title} {...headProps(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={TABLE.tbody}>
            {items.map((row) => (
              <Fragment key={id(row)}>
                <tr
                  className={TABLE.tr}
                  data-with-row-border
                  {...(onOpen && {
                    'data-hover': true,
                    onClick: (event: MouseEvent) => {
                      if (opensRow(event)) onOpen(row)
                    },
                    onKeyDown: (event: KeyboardEvent) => onKey(event, row),
                    tabIndex: 0,
                    className: `${TABLE.tr} opens`,
                  })}
                >
                  {shown.map((column) => (
                    <td key={column.title} {...cellProps(column, 'td')}>
                      {column.cell(row, items)}
                    </td>
                  ))}
                </tr>
                {unfolded?.id === id(row) && (
                  <tr className={TABLE.tr} data-with-row-border>
                    <td className={TABLE.td} colSpan={shown.length}>
                      {unfolded.detail(row)}
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </Table>
      </Table.ScrollContainer>
      <LightGroup justify="space-between" className="table-foot table-line" gap="xs">
        <LightText size="xs" c="dimmed" aria-live="polite">
          {whole
            ? wholeOf(whole.rows.length, whole.total)
            : isReading
              ? 'Loading'
              : (foot?.text ?? placeOf(offset, items.length, total))}
        </LightText>
        <LightGroup gap="xs" className="no-print">
          <Curl method="GET" path={path} />
          {/* Its name is that of the rows that are shown, its rows would be those that are being read. */}
          <Button size="compact-xs" variant="subtle" color="gray" disabled={isReading} onClick={exportRows}>
            CSV
          </Button>
          {foot?.buttons}
          {onOffset && (total > PAGE_SIZE || offset > 0) && (
            <Pager offset={offset} shown={items.length} total={total} onOffset={onOffset} />
          )}
        </LightGroup>
      </LightGroup>
    </div>
  )
}

/** A click on what acts by itself is not one on the row, nor is the end of a selection of its text. */
function opensRow({ target, currentTarget }: MouseEvent): boolean {
  // What opens from a button of the row is elsewhere on the page.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  if (target.closest('a, button, input, label, [role=button]') !== null) return false
  const selection = window.getSelection()
  return selection === null || selection.isCollapsed || !selection.containsNode(currentTarget, true)
}

/** Of headings, which take one line. */
const headProps = (column: Parameters<typeof cellProps>[0]) => {
  const { className, style } = cellProps(column, 'th')
  return { className, style: { whiteSpace: 'nowrap', ...style } as const }
}

interface PagerProps {
  readonly offset: number
  readonly shown: number
  readonly total: number
  readonly onOffset: (offset: number) => void
}

/** The ways to other pages; to both ends where there are pages between them. */
function Pager({ offset, shown, total, onOffset }: PagerProps) {
  const last = lastOf(total)
  const isEnd = offset + shown >= total
  const steps = [
    ['First', offset === 0, 0],
    ['Previous', offset === 0, previousOf(offset, total)],
    ['Next', isEnd, offset + PAGE_SIZE],
    ['Last', isEnd, last],
  ] as const
  return steps
    .filter(([name]) => last > PAGE_SIZE || name === 'Previous' || name === 'Next')
    .map(([name, disabled, to]) => (
      <Button key={name} size="compact-xs" variant="default" disabled={disabled} onClick={() => onOffset(to)}>
        {name}
      </Button>
    ))
}

const lastOf = (total: number): number => total - 1 - ((total - 1) % PAGE_SIZE)

/** The page before; from beyond the end, the last one. */
const previousOf = (offset: number, total: number): number => Math.max(0, Math.min(offset - PAGE_SIZE, lastOf(total)))

/** Below the rows on paper. */
const wholeOf = (shown: number, total: number): string =>
  shown === total
    ? `All ${total} rows`
    : `The first ${shown} of ${total} rows: paper holds no more at once. The CSV of this table has all of them.`

const placeOf = (offset: number, shown: number, total: number): string =>
  shown === 0 ? 'No rows on this page' : `${offset + 1}–${offset + shown} of ${total}`
