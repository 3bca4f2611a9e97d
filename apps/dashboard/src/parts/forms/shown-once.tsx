import type { ReactNode } from 'react'
import { Modal } from '../dialogs.tsx'
import { LeaveGuard } from '../frame/leave-guard.tsx'

/** While something is made whose secret is shown once: who leaves before the response never sees it. */
export function ShownOnceGuard({ pending }: { readonly pending: boolean }) {
  return (
    <LeaveGuard when={pending} within={['tab']}>
      A secret is being made. It is shown once, and only here.
    </LeaveGuard>
  )
}

interface Props {
  readonly title: string
  readonly pending: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog that makes such a thing: nothing closes it before the response is here. */
export function ShownOnceDialog({ title, pending, onClose, children }: Props) {
  return (
    <Modal opened onClose={() => pending || onClose()} title={title}>
      <ShownOnceGuard pending={pending} />
      {children}
    </Modal>
  )
}
