import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.tsx'
import type { usePaging } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { type Column, columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable } from '../../parts/tables/data-table.tsx'

export interface AccountsProps<T> {
  readonly path: string
  readonly accounts: UseQueryResult<Answer<T[]>, ApiError>
  readonly paging: ReturnType<typeof usePaging>
  readonly canOpen: boolean
  readonly onOpen: () => void
  /** In the sandbox, where a simulator plays the bank. */
  readonly onSimulate: (account: T) => void
}

interface Words<T> {
  readonly title: string
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** The button that adds one. */
  readonly open: string
  readonly simulate: { readonly label: string; readonly name: (account: T) => string }
  readonly none: { readonly title: string; readonly about: string }
}

/** The accounts of one direction, and the next step of each. */
export function AccountsTable<T extends { readonly id: number }>(props: AccountsProps<T> & Words<T>) {
  const { path, accounts, paging, canOpen, onOpen, onSimulate, title, label, columns, open, simulate, none } = props
  const may = useMay()
  const { environment } = useSession()
  const simulates = environment === 'sandbox' && may.administer
  const next = columnsFor<T>().buttons('Simulate', (account) => (
    <Button size="compact-xs" variant="default" aria-label={simulate.name(account)} onClick={() => onSimulate(account)}>
      {simulate.label}
    </Button>
  ))
  return (
    <Section
      title={title}
      pad={false}
      actions={
        canOpen && (
          <Button size="xs" onClick={onOpen}>
            {open}
          </Button>
        )
      }
    >
      <DataTable
        label={label}
        path={path}
        query={accounts}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={simulates ? [...columns, next] : columns}
        empty={<Empty title={none.title}>{none.about}</Empty>}
      />
    </Section>
  )
}
