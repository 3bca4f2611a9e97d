import { ActionIcon, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { useUrl } from '../../lib/page/use-url.ts'
import { mayPlanAgain } from '../../lib/transactions/plan-again.ts'
import { useOpening } from '../../parts/forms/use-opening.ts'
import { MoreIcon } from '../../parts/icons.tsx'
import { FINISHED } from './finished.ts'

type Row = Pick<Schema<'OperationHistoryItem'>, 'id' | 'status' | 'executor' | 'revokesAllowance'> &
  Partial<Pick<Schema<'OperationHistoryItem'>, 'failureReason'>>

interface Props {
  readonly operation: Row
  /** Asks whether to cancel it. The list asks: the row may go before the person has decided. */
  readonly onCancel?: (id: number) => void
}

/** Whether the panel of an operation offers more than the decision. */
export const hasActions = ({ failureReason = null, ...operation }: Row): boolean =>
  FINISHED.has(operation.status) ? mayPlanAgain({ ...operation, failureReason }) : operation.executor === 'client'

/** What the panel of an operation offers besides the decision, in its row; nothing where it offers nothing. */
export function RowActions(props: Props) {
  const may = useMay()
  return may.administer && hasActions(props.operation) && <ActionsMenu {...props} />
}

function ActionsMenu({ operation: { id, status, executor }, onCancel }: Props) {
  const [, setUrl] = useUrl()
  const { target, isMounted, opened, setOpened, mount } = useOpening()
  const button = (
    <ActionIcon
      ref={target}
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={`Actions of operation ${id}`}
      aria-haspopup="menu"
      aria-expanded={opened}
      onClick={isMounted ? undefined : mount}
    >
      <MoreIcon />
    </ActionIcon>
  )
  if (!isMounted) return button
  // What opens returns the keyboard to where it was: an item is gone by that time.
  const act = (then: () => void) => () => {
    target.current?.focus()
    then()
  }
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {!FINISHED.has(status) ? (
          <>
            <Menu.Item onClick={act(() => setUrl({ open: id, place: 'bytes' }))}>Get new bytes</Menu.Item>
            <Menu.Item onClick={act(() => setUrl({ open: id, place: 'hash' }))}>Recover by its hash</Menu.Item>
            <Menu.Item onClick={act(() => onCancel?.(id))}>Cancel the operation</Menu.Item>
          </>
        ) : executor === 'client' ? (
          <Menu.Item onClick={act(() => setUrl({ open: id }))}>Plan again as curl</Menu.Item>
        ) : (
          <AgentsAgain id={id} />
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The list does not say whether it was a claim, which Weir plans by itself. */
function AgentsAgain({ id }: { readonly id: number }) {
  const detail = useApi<Schema<'CoreOperation'>>(`/api/core/operations/${id}`).data?.data
  if (detail !== undefined && !mayPlanAgain(detail))
    return <Menu.Item disabled>Weir plans the claim again by itself</Menu.Item>
  return (
    <Menu.Item component={Link} to={'/app/allocations' as never} search={{ again: id } as never}>
      Plan again
    </Menu.Item>
  )
}
