package quiz

import "lyceum/domain/fault"

// checkArchived returns a fault if a quiz would have more archived questions than it may have. A quiz
// that already exceeds a limit may keep them.
func checkArchived(was, now []Question) error {
	if len(now) > max(MaxArchived, len(was)) {
		return fault.Invalidf("questions", "would leave %d archived questions with the quiz (maximum is %d): use a new quiz", len(now), MaxArchived)
	}
	if size := sizeOf(now); size > max(MaxArchivedSize, sizeOf(was)) {
		return fault.Invalidf("questions", "would leave %d bytes of archived questions with the quiz (maximum is %d): use a new quiz", size, MaxArchivedSize)
	}
	return nil
}
