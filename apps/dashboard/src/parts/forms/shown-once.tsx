import { LeaveGuard } from '../frame/leave-guard.tsx'

/** While something is made whose secret is shown once: who leaves before the response never sees it. */
export function ShownOnceGuard({ pending }: { readonly pending: boolean }) {
  return (
    <LeaveGuard when={pending} within={['tab']}>
      A secret is being made. It is shown once, and only here.
    </LeaveGuard>
  )
}
