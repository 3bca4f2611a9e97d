import { Button, Group, Table } from '@mantine/core'
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
          <Table.Thead>
            <Table.Tr>
              {shown.map((column) => (
                <Table.Th key={column.title} {...cellProps(column)}>
                  {column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={id(row)}>
                {shown.map((column) => (
                  <Table.Td key={column.title} {...cellProps(column)}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
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
