import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { usePreferences } from '../../lib/preferences.ts'
import { exactTime } from '../../lib/time.ts'

/** The head of a printed statement: whose it is and of when. */
export function Printed() {
  const { organization, environment } = useSession()
  const { zone } = usePreferences()
  const [at, setAt] = useState(() => new Date())
  useEffect(() => {
    const now = () => setAt(new Date())
    window.addEventListener('beforeprint', now)
    return () => window.removeEventListener('beforeprint', now)
  }, [])
  return (
    <Text size="sm" component="div" className="print-only">
      Statement of {organization.name} ({environment}), printed {exactTime(at.toISOString(), zone)}
    </Text>
  )
}
