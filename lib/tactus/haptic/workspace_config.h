#pragma once
#include "tactus/core/eigen.h"

namespace tactus {

/// How the hand's space lies in the scene's: workspace.h has the equations. The default is the scene at the hand, 1 : 1.
template <class Scalar>
struct WorkspaceConfig {
  Scalar scale = Scalar(1);                          ///< s: metres of the scene for a metre of the hand
  Scalar force_scale = Scalar(1);                    ///< φ: newtons at the hand for a newton in the scene
  Vec<Scalar, 3> offset_m = Vec<Scalar, 3>::Zero();  ///< o in the scene, until a clutch moves it
  Vec<Scalar, 4> q_WD{Scalar(1), Scalar(0), Scalar(0),
                      Scalar(0)};  ///< R: hand's axes to scene's, unit quaternion w, x, y, z
  int clutch_button = 0;           ///< the device's button that presses the clutch while it is held, from 1; 0: none
  bool index_turns = true;         ///< a clutch indexes the orientation too; false: the position alone
};

/// Whether the virtual handle is the handle, as long as no clutch has moved it.
template <class Scalar>
bool IsIdentity(const WorkspaceConfig<Scalar>& workspace) noexcept {
  const Vec<Scalar, 3> turn = workspace.q_WD.template tail<3>();
  return workspace.scale == Scalar(1) && workspace.force_scale == Scalar(1) && workspace.offset_m.isZero(Scalar(0)) &&
         turn.isZero(Scalar(0));
}

}  // namespace tactus
