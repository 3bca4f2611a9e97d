import { Box, Button, Group, Skeleton, Table, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type KeyboardEvent, type ReactNode } from 'react'
import { type Answer, type ApiError, send } from '../api/client.ts'
import { type Column, cellProps } from './columns.tsx'
import { Curl } from './curl.tsx'
import { notify } from './notify.tsx'
import { Problem } from './page.tsx'
import { saveCsv } from './table-csv.ts'

const PAGE_SIZE = 25
const EXPORT_PAGE = 100
const EXPORT_ROWS_MAX = 10_000

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
  readonly onOpen?: (row: T) => void
  /** What unfolds below the row with this id. */
  readonly unfolded?: { readonly id: string | number | undefined; readonly detail: (row: T) => ReactNode }
  readonly empty: ReactNode
}

/** The path with a page of it. */
export function paged(path: string, offset: number, limit = PAGE_SIZE): string {
  return `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${offset}`
}

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
  onOpen,
  unfolded,
  empty,
}: Props<T, D>) {
  if (query.error && query.data === undefined) {
    return (
      <Box p="md">
        <Problem error={query.error} retry={() => void query.refetch()} />
      </Box>
    )
  }
  if (query.data === undefined)
    return (
      <Box p="md">
        <Skeleton height={260} role="status" aria-label="Loading" />
      </Box>
    )
  const { items, total } = rows(query.data.data, query.data)
  const shown = columns.filter(({ csvOnly }) => !csvOnly)
  if (total === 0) return <>{empty}</>
  const onKey = (event: KeyboardEvent, row: T) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row)
  }
  const exportRows = async () => {
    const all: T[] = []
    for (let from = 0; from < Math.min(total, EXPORT_ROWS_MAX); from += EXPORT_PAGE) {
      const answer = onOffset === undefined ? query.data : await send<D>('GET', paged(path, from, EXPORT_PAGE))
      const page = rows(answer.data, answer).items
      all.push(...page)
      if (onOffset === undefined || page.length === 0) break
    }
    saveCsv(label, columns, all)
    if (total > EXPORT_ROWS_MAX)
      notify('Cut', `The file has the first ${EXPORT_ROWS_MAX} of ${total} rows. Narrow the filter.`)
  }
  return (
    <Box>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label={label}>
        <Table highlightOnHover={onOpen !== undefined} verticalSpacing={8} horizontalSpacing="sm" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {shown.map((column) => (
                <Table.Th key={column.title} {...cellProps(column)} style={{ whiteSpace: 'nowrap' }}>
                  {column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((row) => (
              <Fragment key={id(row)}>
                <Table.Tr
                  {...(onOpen && {
                    onClick: () => onOpen(row),
                    onKeyDown: (event: KeyboardEvent) => onKey(event, row),
                    tabIndex: 0,
                    className: 'opens',
                  })}
                >
                  {shown.map((column) => (
                    <Table.Td key={column.title} {...cellProps(column)}>
                      {column.cell(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
                {unfolded?.id === id(row) && (
                  <Table.Tr>
                    <Table.Td colSpan={shown.length}>{unfolded.detail(row)}</Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="space-between" px="md" py="xs" className="table-foot" gap="xs">
        <Text size="xs" c="dimmed" aria-live="polite">
          {items.length === 0 ? 'No rows on this page' : `${offset + 1}–${offset + items.length} of ${total}`}
        </Text>
        <Group gap="xs" className="no-print">
          <Curl method="GET" path={path} />
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void exportRows()}>
            CSV
          </Button>
          {onOffset && total > PAGE_SIZE && (
            <>
              <Button
                size="compact-xs"
                variant="default"
                disabled={offset === 0}
                onClick={() => onOffset(Math.max(0, offset - PAGE_SIZE))}
              >
                Previous
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                disabled={offset + items.length >= total}
                onClick={() => onOffset(offset + PAGE_SIZE)}
              >
                Next
              </Button>
            </>
          )}
        </Group>
      </Group>
    </Box>
  )
}
