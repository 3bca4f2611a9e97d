import { Button } from '@mantine/core'
import { useUrl } from '../../lib/page/use-url.ts'
import { Empty } from '../../parts/frame/page.tsx'
import { WITHOUT_FILTER } from './operation-filters.tsx'

/** No operation of the list matches its filters. */
export function NoMatch() {
  const [, setUrl] = useUrl()
  return (
    <Empty
      title="No operation matches"
      action={
        <Button variant="default" onClick={() => setUrl(WITHOUT_FILTER)}>
          Show all
        </Button>
      }
    />
  )
}
