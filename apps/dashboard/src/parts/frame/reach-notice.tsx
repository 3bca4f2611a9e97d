import { Alert } from '@mantine/core'
import { useReach } from '../../api/reachable.ts'

const TEXTS = {
  offline: 'You are offline. What you see may be old.',
  silent: 'The service cannot be reached. What you see may be old.',
} as const

/** Says that nothing new arrives, on every page; it is empty before, so that screen readers notice what comes. */
export function ReachNotice() {
  const reach = useReach()
  return (
    <div role="status">
      {reach !== 'fine' && (
        <Alert color="yellow" p="xs" mb="md">
          {TEXTS[reach]}
        </Alert>
      )}
    </div>
  )
}
