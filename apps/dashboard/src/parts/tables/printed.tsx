import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSession } from '../../api/session.tsx'
import { exactTime } from '../../lib/dates/time.ts'
import { usePreferences } from '../../lib/page/preferences.ts'

/** The head of a page on paper: organization, who printed it and when, and its address with the filter and the day. */
export function Printed() {
  const { organization, environment, user } = useSession()
  const { zone } = usePreferences()
  const [at, setAt] = useState<string>()
  useEffect(() => {
    // On paper at once: the browser does not wait for another render.
    const now = () => flushSync(() => setAt(new Date().toISOString()))
    const print = window.matchMedia('print')
    const onChange = () => {
      if (print.matches) now()
    }
    window.addEventListener('beforeprint', now)
    print.addEventListener('change', onChange)
    return () => {
      window.removeEventListener('beforeprint', now)
      print.removeEventListener('change', onChange)
    }
  }, [])
  if (at === undefined) return null
  return (
    <Text size="sm" component="div" className="print-only printed">
      {organization.name} ({environment}), printed {exactTime(at, zone)} by {user.email}
      <br />
      {window.location.href}
    </Text>
  )
}
