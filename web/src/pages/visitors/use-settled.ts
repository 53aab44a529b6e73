import { useEffect, useState } from 'react'

/** A value that was not changed for a while: what is typed asks the server once, not by the letter. */
export function useSettled<Value>(value: Value, waitMs = 250): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value, waitMs])
  return settled
}
