#include "host_tools/scene/joint_conflict.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "tactus/contact/whiten.h"
#include "tactus/haptic/config.h"
#include "tactus/scene/scene_joints.h"
#include "tactus/scene/scene_state.h"

namespace tactus::host {
namespace {

/// Rounding leaves about 1e-16 of the fastest motor's speed in a row that depends on others. Bodies that move with this
/// share of it make 1e-9 of that speed the least that is a contradiction (kBlockedShare).
constexpr double kFreeShare = 1e-3;

/// [m/s, rad/s] The fastest motor's speed.
double FastestMotor(const Scene<>& scene) {
  double fastest = 0;
  for (const SceneJoint& joint : scene.joints) fastest = std::max(fastest, std::abs(joint.motor_speed));
  return fastest;
}

/// The rows of some of a scene's joints, where its bodies start.
class JointRows {
  using Prepared = PreparedScene<double>;
  using Problem = ContactProblem<double, kLargeSceneCapacity>;

 public:
  explicit JointRows(const Scene<>& scene) {
    if (Prepare(scene, scene_.get())) return;  // LoadScene has refused it
    Restart(*scene_, state_.get());
    free_ = kFreeShare * FastestMotor(scene);
    for (int i = 0; i < scene.joints.size(); ++i) {
      Prepared::Link link = scene_->links[i];
      link.stiffness = link.damping = 0;
      const bool gives_way = scene.joints[i].motor_force == 0 || link.kind == JointKind::kRope;  // friction, slack
      if (gives_way) link.drive_force = 0;
      (void)links_.push_back(link);  // of the same capacity
    }
  }

  bool Contradict(const std::vector<int>& joints) {
    scene_->links.clear();
    for (const int i : joints) (void)scene_->links.push_back(links_[i]);
    problem_->joints.clear();
    problem_->bodies.resize(scene_->bodies.size());
    for (int i = 0; i < scene_->bodies.size(); ++i) SetBody(i);
    // There is room for the rows; stops are no rows.
    (void)JointBuilder<double, kServoScene, Problem>(*scene_, state_.get(), problem_.get()).Run();
    problem_->contacts.clear();
    for (int i = 0; i < problem_->bodies.size(); ++i) problem_->bodies[i].wrench.setZero();  // of motors at their stops
    for (int i = 0; i < problem_->joints.size(); ++i) problem_->joints[i].yields = false;
    const WhitenOptions<double, kLargeSceneCapacity> options;
    return static_cast<bool>(Whiten(*problem_, {}, options, whitened_.get()));
  }

 private:
  void SetBody(int i) {
    const auto& body = scene_->bodies[i];
    problem_->bodies[i] = {.mass_kg = body.mass_kg,
                           .inertia_kgm2 = RotateInertia(RotationMatrix(body.start.q_WT), body.inertia_kgm2),
                           .position_m = body.start.p_WT_m,
                           .velocity = Vec<double, 6>::Constant(free_)};
  }

  std::unique_ptr<Prepared> scene_ = std::make_unique<Prepared>();
  std::unique_ptr<SceneState<double>> state_ = std::make_unique<SceneState<double>>();
  std::unique_ptr<Problem> problem_ = std::make_unique<Problem>();
  std::unique_ptr<WhitenedProblem<double, kLargeSceneCapacity>> whitened_ =
      std::make_unique<WhitenedProblem<double, kLargeSceneCapacity>>();
  decltype(Prepared::links) links_;
  double free_ = 0;  ///< [m/s, rad/s] of all bodies in all directions: no row asks for it, errors are measured by it
};

/// The fewest of `joints` that contradict the last of them.
std::vector<int> Fewest(JointRows* rows, std::vector<int> joints) {
  for (std::size_t i = 0; i + 1 < joints.size();) {
    std::vector<int> fewer = joints;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    rows->Contradict(fewer) ? void(joints = fewer) : void(++i);
  }
  joints.pop_back();
  return joints;
}

}  // namespace

JointConflict FindJointConflict(const Scene<>& scene) {
  const auto has_motor = [](const SceneJoint& joint) { return joint.motor_force > 0; };
  // Bodies at rest keep all rows without a speed.
  if (std::none_of(scene.joints.begin(), scene.joints.end(), has_motor)) return {};
  JointRows rows(scene);
  std::vector<int> joints;
  for (int i = 0; i < scene.joints.size(); ++i) {
    joints.push_back(i);
    if (rows.Contradict(joints)) return {.joint = i, .others = Fewest(&rows, joints)};
  }
  return {};
}

}  // namespace tactus::host
