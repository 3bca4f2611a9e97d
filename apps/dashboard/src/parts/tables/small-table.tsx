import { Button, Group, Table } from '@mantine/core'
import { TABLE } from '../light.tsx'
import { type Column, cellProps } from './columns.tsx'
import { saveCsv } from './table-csv.tsx'

interface Props<T> {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly id: (row: T) => string | number
}

/** A table of the few rows that a detail has: all of them at once. */
export function SmallTable<T>({ label, rows, columns, id }: Props<T>) {
  const shown = columns.filter(({ csvOnly }) => !csvOnly)
  return (
    <>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label={label}>
        <Table aria-label={label}>
          <thead className={TABLE.thead}>
            <tr className={TABLE.tr} data-with-row-border>
              {shown.map((column) => (
                <th key={column.title} {...cellProps(column, 'th')}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={TABLE.tbody}>
            {rows.map((row) => (
              <tr key={id(row)} className={TABLE.tr} data-with-row-border>
                {shown.map((column) => (
                  <td key={column.title} {...cellProps(column, 'td')}>
                    {column.cell(row, rows)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length > 0 && columns.some(({ csv }) => csv) && (
        <Group justify="flex-end" pr="xs" pb={4} className="no-print">
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={`CSV of ${label}`}
            onClick={() => saveCsv(label, columns, rows)}
          >
            CSV
          </Button>
        </Group>
      )}
    </>
  )
}
